import { useEffect, useRef, useState } from 'react'

/** The open form: `new`, an entry id, or none. Closing it returns focus to its `data-opens` button. */
export function useWriting(): [
  openForm: string | undefined,
  showForm: (target: string) => void,
  closeForm: () => void,
] {
  const [writing, setWriting] = useState<string>()
  const previousTarget = useRef<string>(undefined)
  useEffect(() => {
    if (writing === undefined && previousTarget.current !== undefined)
      document.querySelector<HTMLElement>(`[data-opens="${previousTarget.current}"]`)?.focus()
    previousTarget.current = writing
  }, [writing])
  return [writing, setWriting, () => setWriting(undefined)]
}
