import { useEffect, useState } from 'react'

/** Debounces; use a longer pause where the server rate-limits requests. */
export function useDebouncedText(text: string, pauseMs = 350): string {
  const [debouncedText, setDebouncedText] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return debouncedText
}
