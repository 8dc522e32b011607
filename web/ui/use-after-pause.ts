import { useEffect, useState } from 'react'

const pauseMs = 350

/** What is being typed, once it has rested: for questions the server counts. */
export function useAfterPause(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
