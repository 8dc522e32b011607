/** For work too slow to run on a key press. Runs right away in browsers without idle callbacks. */
export function runWhenIdle(task: () => void, maxWaitMs: number): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: maxWaitMs })
  else task()
}
