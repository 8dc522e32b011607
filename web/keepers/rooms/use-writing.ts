import { useEffect, useRef, useState } from 'react'

/** What is being written on a page: `new`, an entry's id, or nothing. Closed, the button `data-opens` that opened it has the focus. */
export function useWriting(): [writing: string | undefined, begin: (what: string) => void, close: () => void] {
  const [writing, setWriting] = useState<string>()
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (writing === undefined && before.current !== undefined)
      document.querySelector<HTMLElement>(`[data-opens="${before.current}"]`)?.focus()
    before.current = writing
  }, [writing])
  return [writing, setWriting, () => setWriting(undefined)]
}
