import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface EventLoopLag {
  /** Seconds by percentile since the last call. */
  read(): [percentile: string, seconds: number][]
  stop(): void
}

const resolutionMs = 20

export function startEventLoopLag(): EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  return {
    read() {
      const percentiles: [string, number][] = [
        ['p50', delays.percentile(50)],
        ['p99', delays.percentile(99)],
        ['max', delays.max],
      ]
      delays.reset()
      // The timer's own interval is part of each sample.
      return percentiles.map(([percentile, nanoseconds]) => [
        percentile,
        Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000),
      ])
    },
    stop: () => void delays.disable(),
  }
}
