import { useEffect, useState } from 'react'

/** The client's time, refreshed while `ticking`. */
export function useNow(ticking: boolean, intervalMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [ticking, intervalMs])
  return now
}
