import { readdirSync, readFileSync } from 'node:fs'

const checkIntervalMs = 4

/** Limits the CPU share of each process by stopping it while it has used more. Returns a function that releases them. */
export function limitCpu(pids: number[], share: number): () => void {
  const startedAt = performance.now()
  const all = pids.map((pid) => ({ pid, before: threadsMs(pid), stopped: false }))
  const timer = setInterval(() => {
    for (const one of all) {
      const over = threadsMs(one.pid) - one.before > (performance.now() - startedAt) * share
      if (over === one.stopped) continue
      one.stopped = over
      signal(one.pid, over ? 'SIGSTOP' : 'SIGCONT')
    }
  }, checkIntervalMs)
  return () => {
    clearInterval(timer)
    for (const { pid } of all) signal(pid, 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}

function threadsMs(pid: number): number {
  let nanoseconds = 0
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  } catch {}
  return nanoseconds / 1e6
}

export function readPostgresCpuMs(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      if (!stat.includes('(postgres)')) continue
      const fields = stat.split(') ')[1]?.split(' ') ?? []
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process ended during the read.
    }
  return ticks * 10
}
