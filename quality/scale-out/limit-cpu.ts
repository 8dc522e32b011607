import { readdirSync, readFileSync } from 'node:fs'

const checkIntervalMs = 4
const msPerTick = 10

/** Stops each process with SIGSTOP while it is above its CPU share. Returns a function that ends the limit. */
export function limitCpu(pids: number[], share: number): () => void {
  const startedAt = performance.now()
  const processes = pids.map((pid) => ({ pid, startMs: readThreadsCpuMs(pid), isStopped: false }))
  const timer = setInterval(() => {
    for (const limited of processes) {
      const usedMs = readThreadsCpuMs(limited.pid) - limited.startMs
      const isAboveShare = usedMs > (performance.now() - startedAt) * share
      if (isAboveShare === limited.isStopped) continue
      limited.isStopped = isAboveShare
      sendSignal(limited.pid, isAboveShare ? 'SIGSTOP' : 'SIGCONT')
    }
  }, checkIntervalMs)
  return () => {
    clearInterval(timer)
    for (const { pid } of processes) sendSignal(pid, 'SIGCONT')
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}

function readThreadsCpuMs(pid: number): number {
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
  return ticks * msPerTick
}
