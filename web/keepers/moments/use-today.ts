import { useSyncExternalStore } from 'react'
import { getToday } from './format-day.ts'

const checkIntervalMs = 20_000

/** @returns today's date, as `2026-11-30`; renders again at midnight, also on a page that stayed open */
export function useToday(): string {
  return useSyncExternalStore(subscribe, getToday)
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, checkIntervalMs)
  // Browsers stop the timers of hidden pages.
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}
