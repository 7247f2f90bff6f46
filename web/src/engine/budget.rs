//! How long a frame may take. The core has no clock; this is the page's.

use wasm_bindgen::prelude::*;

/// What a frame gives to the engine, in real milliseconds. The rest of its 16 is for the view of the
/// moment and for drawing it.
const FRAME_MS: f64 = 3.0;
/// So many events take about one of these. Looking at the clock more often would cost time and gain
/// nothing, and since no frame has fewer, a busy machine gets on, too.
const LOOK_EVERY: u32 = 1_000;
/// Some browsers let their clock stand still for a tenth of a second, to be recognized less easily:
/// no frame has more events than these.
const MOST_EVENTS: u32 = 20_000;

#[wasm_bindgen]
extern "C" {
    /// Browsers' windows and workers have it, and Node.
    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: web_sys::Performance;
}

/// Begins now; the closure says after each event whether the time is over.
pub(crate) fn frame() -> impl FnMut() -> bool {
    let now = || PERFORMANCE.with(web_sys::Performance::now);
    let end = now() + FRAME_MS;
    let mut events = 0;
    move || {
        events += 1;
        events >= MOST_EVENTS || (events % LOOK_EVERY == 0 && now() >= end)
    }
}
