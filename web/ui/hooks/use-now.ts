import { useEffect, useState } from 'react'

/** The client's time, refreshed while `isTicking`. */
export function useNow(isTicking: boolean, intervalMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [isTicking, intervalMs])
  return now
}
