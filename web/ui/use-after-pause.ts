import { useEffect, useState } from 'react'

/** What is being typed, once it has rested: longer where the server counts what it is asked. */
export function useAfterPause(text: string, pauseMs = 350): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
