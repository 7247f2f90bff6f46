/**
 * 穷举探索的用语。键与 en.explore.js 相同。
 * @type {Record<string, string>}
 */
export default {
  "explore.about":
    "一个场景只是一种先后顺序。这里按同一套规则，在给定的范围内检查消息、定时器和故障的每一种顺序，找出打破承诺的最短过程，或者告诉你不存在这样的过程。",
  "explore.property": "哪条承诺会被打破？",
  "explore.ackedSurvives": "已确认的记录不会丢",
  "explore.seenStays": "消费者读到过的不会消失",
  "explore.hasLeader": "只要还有 broker 活着就有 leader",
  "explore.records": "记录数",
  "explore.maxEpoch": "leader 更替次数",
  "explore.faults": "允许哪些故障，各几次",
  "explore.fault.crash": "进程崩溃",
  "explore.fault.crashAbout": "kill -9：已写入的数据还在页缓存里。",
  "explore.fault.power": "断电",
  "explore.fault.powerAbout": "没刷盘的数据全部丢失。",
  "explore.fault.lag": "从副本掉队",
  "explore.fault.lagAbout":
    "活着的从副本落后超过 replica.lag.time.max.ms，被移出 ISR：磁盘慢、网络慢或长时间停顿。",
  "explore.fault.session": "会话到期",
  "explore.fault.sessionAbout": "broker 还活着，但心跳送不到，被控制器隔离。",
  "explore.stop": "停止",
  "explore.fault.stop": "正常停机",
  "explore.fault.stopAbout": "正常停机，全部刷盘。",
  "explore.fault.uncleanElection": "手动 unclean 选举",
  "explore.fault.uncleanElectionAbout": "没有 leader 时由运维人员发起。",
  "explore.settings": "取自当前画面：",
  "explore.brokers": "{count} 个副本",
  "explore.ask": "检查每一种顺序",
  "explore.zookeeper":
    "目前只能探索使用 KRaft 的版本（{list}）。请在上方选择其中一个；{release} 的状态存放在 ZooKeeper 里。",
  "explore.progress": "已检查 {states} 个状态；{steps} 步以内的所有顺序都已查过……",
  "explore.broken.ackedSurvives": "会：最短 {length} 步就能丢掉一条已确认的记录，没有更短的过程。",
  "explore.broken.seenStays": "会：最短 {length} 步，消费者读到过的记录就会消失，没有更短的过程。",
  "explore.broken.hasLeader":
    "会：最短 {length} 步之后，虽有 broker 活着却没有 leader，没有更短的过程。",
  "explore.safe.ackedSurvives": "不会：在这些范围内，没有哪种顺序会丢掉已确认的记录。",
  "explore.safe.seenStays": "不会：在这些范围内，没有哪种顺序会让消费者读到过的记录消失。",
  "explore.safe.hasLeader": "不会：在这些范围内，只要还有 broker 活着，就有 leader，或者马上会有。",
  "explore.memory.ackedSurvives":
    "尚无定论：{gib} GiB 内存已用完。{steps} 步以内的任何顺序都不会丢掉已确认的记录。",
  "explore.memory.seenStays":
    "尚无定论：{gib} GiB 内存已用完。{steps} 步以内的任何顺序都不会让消费者读到过的记录消失。",
  "explore.memory.hasLeader":
    "尚无定论：{gib} GiB 内存已用完。{steps} 步以内的任何顺序都有 leader。",
  "explore.bounds":
    "范围：记录 {records} 条；leader epoch 最大 {epochs}；故障 {faults}。共 {states} 个状态，用时 {time}。",
  "explore.leftOut":
    "未包含：生产者的重试与重复、多个分区、副本迁移、控制器自身的故障。晚得到消息的 broker 得到的是最新状态。",
  "explore.open": "播放最短的过程",
  "explore.noStory": "模拟器没能重现这个过程。请把这个问题报告给我们。",
  "explore.history": "最短的过程，共 {length} 步",
  "explore.title.ackedSurvives": "丢掉一条已确认记录的最短过程",
  "explore.title.seenStays": "让消费者读到过的记录消失的最短过程",
  "explore.title.hasLeader": "没有 leader 的最短过程",
  "explore.failed": "探索没有得出结果：{reason}",
  "explore.bound.brokers": "副本数须为 1 到 5。",
  "explore.bound.records": "记录数须为 1 到 3。",
  "explore.bound.epochs": "leader 更替次数须为 1 到 7。",
  "explore.bound.faults": "每种故障最多 3 次。",
  "explore.bound.acks": "acks 只能是 0、1 或 all。",
  "explore.bound.minIsr": "min.insync.replicas 须为 1 到 5。",
  "explore.bound.release": "只支持使用 KRaft 的版本：3.9、4.1、4.4。",
  "explore.bound.tooMuch": "一次太多了：请减少副本、记录或 leader 更替次数。",
  "explore.bound.memory": "内存不足，无法开始。",
  "explore.step.produce": "生产者向 broker {broker} 发送一条记录，写入其日志。",
  "explore.step.fetch": "broker {broker} 从 broker {leader} 拉取。",
  "explore.step.fetchUnanswered": "broker {broker} 从 broker {leader} 拉取：leader 得知它的进度。",
  "explore.step.hear": "broker {broker} 得知最新状态。",
  "explore.step.shrink": "leader {broker} 发现 {out} 掉队太久，请求把它移出 ISR。",
  "explore.step.alter": "控制器处理 broker {broker} 的请求。",
  "explore.step.fence": "broker {broker} 的会话到期，控制器将其隔离。",
  "explore.step.unfence": "broker {broker} 追上了元数据，解除隔离。",
  "explore.step.start": "broker {broker} 启动并注册。",
  "explore.step.crash": "broker {broker} 崩溃。",
  "explore.step.power": "broker {broker} 断电：没刷盘的数据丢失。",
  "explore.step.stop": "broker {broker} 正常停机。",
  "explore.step.askEnd":
    "broker {broker} 向 broker {leader} 询问自己最新 epoch 的终点，并在该处截断日志。",
  "explore.step.checkpoint": "broker {broker} 把 HW 写到磁盘。",
  "explore.step.uncleanElection": "运维人员发起 unclean 选举。",
};
