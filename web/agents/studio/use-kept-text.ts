import { useCallback, useMemo, useState } from 'react'
import { keptDraft, useUnsealedDrafts } from '../form/kept-draft.ts'

/** Typed text that survives a reload of this tab. An empty one is forgotten. */
export function useKeptText(name: string): [text: string, setText: (text: string) => void] {
  useUnsealedDrafts()
  const draft = useMemo(() => keptDraft(name, (value): value is string => typeof value === 'string'), [name])
  const [text, setText] = useState(() => draft.read() ?? '')
  const keep = useCallback(
    (next: string) => {
      setText(next)
      if (next === '') draft.clear()
      else draft.write(next)
    },
    [draft],
  )
  return [text, keep]
}
