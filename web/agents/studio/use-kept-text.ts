import { useCallback, useMemo, useRef, useState } from 'react'
import { keptDraft, useUnsealedDrafts } from '../form/kept-draft.ts'

/** Text that survives a reload of this tab. Empty text is removed. */
export function useKeptText(name: string): [text: string, setText: (text: string | ((now: string) => string)) => void] {
  useUnsealedDrafts()
  const draft = useMemo(() => keptDraft(name, (value): value is string => typeof value === 'string'), [name])
  const [text, setText] = useState(() => draft.read() ?? '')
  const present = useRef(text)
  const keep = useCallback(
    (wanted: string | ((now: string) => string)) => {
      const next = typeof wanted === 'string' ? wanted : wanted(present.current)
      present.current = next
      setText(next)
      if (next === '') draft.clear()
      else draft.write(next)
    },
    [draft],
  )
  return [text, keep]
}
