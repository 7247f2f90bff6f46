/** What the page asks of the browser beyond drawing; each may be refused. */

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on the clipboard now
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Saves text as a file.
 * @param {string} name
 * @param {string} text
 */
export function saveFile(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Asks for a file.
 * @param {(file: File) => void} opened
 */
export function pickFile(opened) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".hw,.txt,text/plain";
  input.onchange = () => input.files?.[0] && opened(input.files[0]);
  input.click();
}

/**
 * Draws to the size of the element in device pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width in CSS pixels
 * @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function canvasContext(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/**
 * Colours of the page for a canvas, by the names of its custom properties.
 * @param {Element} element
 * @param {string[]} names
 * @returns {Record<string, string>}
 */
export function colours(element, names) {
  const probe = document.createElement("span");
  element.append(probe);
  /** @type {Record<string, string>} */
  const found = {};
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}
