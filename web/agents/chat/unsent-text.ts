import { useRef, useState } from 'react'
import { getPageUserId } from '#web/offline/signed-in-user.ts'
import { useDraft } from '#web/offline/use-draft.ts'

/** A draft stored in this browser; a visitor's draft is stored in this tab, if the browser allows it. */
function useUnsentDraft<Value>(name: string, blank: Value) {
  const draft = useDraft<Value>(`kept/${name}`, blank, { followsOtherTabs: false })
  const tabKey = `keeper-draft-${name}`
  const [tabValue, setTabValue] = useState(() => readTabValue<Value>(tabKey) ?? blank)
  if (getPageUserId() !== null) return draft
  return {
    value: tabValue,
    set(value: Value) {
      setTabValue(value)
      try {
        sessionStorage.setItem(tabKey, JSON.stringify(value))
      } catch {}
    },
    clear() {
      setTabValue(blank)
      try {
        sessionStorage.removeItem(tabKey)
      } catch {}
    },
  }
}

function readTabValue<Value>(key: string): Value | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

const startsWithText = (composerText: string, sentText: string) =>
  `${composerText.trim()}\n\n`.startsWith(`${sentText.trim()}\n\n`)

/** Puts refused text back before newer text, only once. */
export function restoreText(rejectedText: string, composerText: string): string {
  if (composerText.trim() === '') return rejectedText
  return startsWithText(composerText, rejectedText) ? composerText : `${rejectedText.trim()}\n\n${composerText}`
}

export function removeSentText(sentText: string, composerText: string): string {
  return startsWithText(composerText, sentText)
    ? composerText.trim().slice(sentText.trim().length).trimStart()
    : composerText
}

/** The text in the composer. Its draft includes text that is being sent, until the server has it. */
export function useComposerText(scope: string) {
  const { value: storedText, set, clear } = useUnsentDraft(`chat-${scope}`, '')
  const [sentText, setSentText] = useState('')
  const latest = useRef({ storedText, sentText })
  latest.current = { storedText, sentText }

  function store(next: { storedText: string; sentText: string }) {
    latest.current = next
    setSentText(next.sentText)
    if (next.storedText === '') clear()
    else set(next.storedText)
  }
  return {
    text: sentText ? removeSentText(sentText, storedText) : storedText,
    write(text: string) {
      const sent = latest.current.sentText
      store({ storedText: sent ? restoreText(sent, text) : text, sentText: sent })
    },
    markSent: (text: string) => store({ storedText: restoreText(text, latest.current.storedText), sentText: text }),
    /** Text typed in the meantime stays in the box. */
    confirmSent() {
      const { sentText: sent, storedText: stored } = latest.current
      if (sent) store({ storedText: removeSentText(sent, stored), sentText: '' })
    },
    restoreRejected: (text: string) =>
      store({ storedText: restoreText(text, latest.current.storedText), sentText: '' }),
  }
}

interface UnsentEdits {
  /** Id of the message being edited. */
  open: string | null
  texts: Record<string, string>
}

const noEdits: UnsentEdits = { open: null, texts: {} }

/** Edited questions. Sending one closes it; its draft is deleted once the server has it. */
export function useQuestionEdit(scope: string) {
  const { value: edits, set, clear } = useUnsentDraft<UnsentEdits>(`chat-edits-${scope}`, noEdits)
  const [sentId, setSentId] = useState<string | null>(null)
  const { open: openId, texts } = edits
  const openText = openId === null || openId === sentId ? undefined : texts[openId]

  function removeEdit(id: string) {
    const { [id]: _, ...otherTexts } = texts
    if (Object.keys(otherTexts).length === 0) clear()
    else set({ open: openId === id ? null : openId, texts: otherTexts })
  }
  return {
    openEdit: openId !== null && openText !== undefined ? { messageId: openId, text: openText } : undefined,
    start(messageId: string, text: string) {
      if (messageId === sentId) setSentId(null)
      set({ open: messageId, texts: { ...texts, [messageId]: texts[messageId] ?? text } })
    },
    change(text: string) {
      if (openId !== null) set({ open: openId, texts: { ...texts, [openId]: text } })
    },
    cancel() {
      if (openId !== null) removeEdit(openId)
    },
    markSent: () => setSentId(openId),
    confirmSent() {
      if (sentId !== null) removeEdit(sentId)
      setSentId(null)
    },
    restoreRejected: () => setSentId(null),
  }
}
