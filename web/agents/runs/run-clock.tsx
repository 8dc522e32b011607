import { useEffect, useState } from 'react'

export function RunClock({ since, ms, running }: { since: number; ms: number | undefined; running: boolean }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [running])
  const visibleMs = running ? Math.max(now - since, 0) : ms
  if (visibleMs === undefined) return null
  return (
    <span aria-hidden={running} className="tabular-nums">
      {visibleMs.toLocaleString('en-US')} ms
    </span>
  )
}
