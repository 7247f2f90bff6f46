/**
 * Words of the lessons. zh.learn.js has the same keys.
 * @type {Record<string, string>}
 */
export default {
  "learn.about":
    "Each lesson asks a question, shows what happens and why, and ends with a task for you. What you have done is remembered in this browser only.",
  "learn.done": "{done} of {all} done.",
  "learn.isDone": "done",
  "learn.gallery": "All other scenarios …",
  "learn.lesson": "Lesson",
  "learn.row": "Lesson {row}",
  "learn.contents": "All lessons",
  "learn.steps": "Steps of this lesson",
  "learn.step.say": "Step {n}: what happens",
  "learn.step.ask": "Step {n}: a question",
  "learn.step.goal": "Step {n}: your task",
  "learn.start": "Start",
  "learn.back": "Back",
  "learn.next": "Next",
  "learn.watch": "Watch",
  "learn.why": "Why?",
  "learn.right": "Right.",
  "learn.wrong": "Many people think so.",
  "learn.yours": "Your turn.",
  "learn.open": "Not reached yet. Use the cluster; this line changes as soon as you get there.",
  "learn.openElsewhere": "Open the lesson in Highwater to try this yourself.",
  "learn.again": "Start this step over",
  "learn.reached": "Reached.",
  "learn.onward": "Next lesson",
  "learn.chapter.replicas": "Replicas",
  "learn.chapter.isr": "In and out of the ISR",
  "learn.chapter.commit": "High watermark and acknowledgements",
  "learn.chapter.failures": "Failures and elections",
  "learn.chapter.producers": "Producers",
  "learn.chapter.consumers": "Consumers",
  "learn.chapter.practice": "Disks, settings, releases",
  "learn.missing.M11":
    "Commit strategies side by side: no lesson yet, the model has no strategy but Kafka's own.",
  "learn.missing.M20": "Kafka's command-line tools: no lesson yet, the model has no console.",
  "learn.missing.M21": "Throughput: no lesson yet, work takes no time in the model.",
  "gallery.lessons": "Lessons",
  "gallery.scenarios": "Scenarios",
};
