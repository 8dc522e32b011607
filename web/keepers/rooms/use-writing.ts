import { useEffect, useRef, useState } from 'react'

/** The open form: `new`, an entry id, or none. Closing it returns focus to its `data-opens` button. */
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
