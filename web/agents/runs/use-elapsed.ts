import { useEffect, useState } from 'react'
import type { RunDetail } from '#contract/agents/runs.ts'

export function useElapsed({
  status,
  created_at,
  execution_time_ms,
}: Pick<RunDetail, 'status' | 'created_at' | 'execution_time_ms'>): number {
  const [now, setNow] = useState(Date.now)
  const running = status === 'running'
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [running])
  return running ? Math.max(now - Date.parse(created_at), 0) : (execution_time_ms ?? 0)
}
