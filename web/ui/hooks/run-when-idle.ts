/** For work that takes longer than a key may. Runs at once where the browser can't say when it is idle. */
export function runWhenIdle(task: () => void, maxWaitMs: number): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(task, { timeout: maxWaitMs })
  else task()
}
