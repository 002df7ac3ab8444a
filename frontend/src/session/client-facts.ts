/** What the server is told about the computer: what may bear on the data, nothing that is only good for finding a person. */

export function clientFacts(): Record<string, unknown> {
  return {
    user_agent: navigator.userAgent,
    viewport: [window.innerWidth, window.innerHeight],
    screen: [window.screen.width, window.screen.height],
    device_pixel_ratio: window.devicePixelRatio,
    touch: navigator.maxTouchPoints > 0,
    cross_origin_isolated: window.crossOriginIsolated,
    element_timing: PerformanceObserver.supportedEntryTypes.includes("element"),
    languages: [...navigator.languages].slice(0, 3),
  };
}
