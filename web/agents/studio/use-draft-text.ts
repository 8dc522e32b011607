import { useCallback, useMemo, useRef, useState } from 'react'
import { createStoredDraft, useDecryptedDrafts } from '../form/stored-draft.ts'

/** Text that survives a reload of this tab. Empty text is removed. */
export function useDraftText(
  name: string,
): [text: string, setText: (text: string | ((now: string) => string)) => void] {
  useDecryptedDrafts()
  const draft = useMemo(() => createStoredDraft(name, (value): value is string => typeof value === 'string'), [name])
  const [text, setText] = useState(() => draft.read() ?? '')
  const latestText = useRef(text)
  const saveText = useCallback(
    (update: string | ((now: string) => string)) => {
      const next = typeof update === 'string' ? update : update(latestText.current)
      latestText.current = next
      setText(next)
      if (next === '') draft.clear()
      else draft.write(next)
    },
    [draft],
  )
  return [text, saveText]
}
