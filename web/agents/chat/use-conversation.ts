import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entries.ts'
import { useComposerText, useQuestionEdit } from './unsent-text.ts'
import { type ChatOptions, useChat } from './use-chat.ts'

/** Message actions; a stable object, so that memoized messages don't rerender. */
export interface ChatActions {
  tryAgain: () => void
  regenerate: (answer: ChatEntry) => void
  showBranch: (messageId: string) => void
  readAloud: (entry: ChatEntry) => void
  createGolden: (answer: ChatEntry) => void
  startEdit: (question: ChatEntry) => void
  changeEdit: (text: string) => void
  sendEdit: () => void
  cancelEdit: () => void
}

interface ConversationOptions extends Omit<ChatOptions, 'onSent' | 'onAccepted' | 'onRejected'> {
  /** Called before a message is sent or an answer regenerated. */
  onTurnStart?: () => void
  onReadAloud?: (entry: ChatEntry) => void
  onCreateGolden?: (answer: ChatEntry) => void
}

/** A chat with its composer, edited questions and scrolling, for a page or a board frame. */
export function useConversation({ onTurnStart, onReadAloud, onCreateGolden, ...options }: ConversationOptions) {
  const scope = options.scope ?? options.agent.slug
  const composer = useComposerText(scope)
  const edit = useQuestionEdit(scope)
  const textBox = useRef<HTMLTextAreaElement>(null)
  const { scrollToEnd, ...scrolling } = useStickToEnd()
  const chat = useChat({
    ...options,
    onSent: (sentText, editedId) => (editedId ? edit.markSent() : composer.markSent(sentText)),
    onAccepted: () => {
      edit.confirmSent()
      composer.confirmSent()
    },
    onRejected: (rejectedText, editedId) =>
      editedId ? edit.restoreRejected() : composer.restoreRejected(rejectedText),
  })
  const { entries, ready } = chat

  const [isSendPending, setSendPending] = useState(false)
  function send() {
    // A message sent before the session is ready is sent once it is.
    if (!ready) return setSendPending(true)
    onTurnStart?.()
    if (chat.send(composer.text)) scrollToEnd()
  }
  const sendPending = useEffectEvent(() => {
    if (!isSendPending) return
    setSendPending(false)
    send()
  })
  useEffect(() => {
    if (ready) sendPending()
  }, [ready])

  const findQuestion = (answer: ChatEntry) => entries[entries.findIndex(({ key }) => key === answer.key) - 1]
  const focusTextBox = () => textBox.current?.focus({ preventScroll: true })
  const actions = useStableActions({
    tryAgain: () => {
      onTurnStart?.()
      chat.tryAgain()
      scrollToEnd()
    },
    regenerate: (answer) => {
      const question = findQuestion(answer)
      if (!question) return
      onTurnStart?.()
      chat.regenerate(question, answer)
      scrollToEnd()
    },
    showBranch: chat.showBranch,
    readAloud: (entry) => onReadAloud?.(entry),
    createGolden: (answer) => onCreateGolden?.(answer),
    startEdit: (question) => question.id && edit.start(question.id, question.content),
    changeEdit: edit.change,
    sendEdit: () => {
      onTurnStart?.()
      if (edit.openEdit && chat.send(edit.openEdit.text, edit.openEdit.messageId)) focusTextBox()
    },
    cancelEdit: () => {
      edit.cancel()
      focusTextBox()
    },
  })

  /** The message props that a page and a board frame share. */
  const getMessageProps = (entry: ChatEntry) => ({
    entry,
    actions,
    canRetry: chat.failedTurn?.answer.key === entry.key,
    reconnecting: chat.reconnecting && entry === chat.reply,
    editedText: edit.openEdit?.messageId === entry.id ? edit.openEdit?.text : undefined,
  })

  return {
    ...chat,
    ...scrolling,
    scrollToEnd,
    composer,
    edit,
    textBox,
    focusTextBox,
    send,
    findQuestion,
    getMessageProps,
  }
}

function useStableActions(actions: ChatActions): ChatActions {
  const latestActions = useRef(actions)
  latestActions.current = actions
  return useMemo(
    () => ({
      tryAgain: () => latestActions.current.tryAgain(),
      regenerate: (answer) => latestActions.current.regenerate(answer),
      showBranch: (messageId) => latestActions.current.showBranch(messageId),
      readAloud: (entry) => latestActions.current.readAloud(entry),
      createGolden: (answer) => latestActions.current.createGolden(answer),
      startEdit: (question) => latestActions.current.startEdit(question),
      changeEdit: (text) => latestActions.current.changeEdit(text),
      sendEdit: () => latestActions.current.sendEdit(),
      cancelEdit: () => latestActions.current.cancelEdit(),
    }),
    [],
  )
}

const nearEndPx = 48

/** Sticks to the end unless the reader scrolled up; then reports new content. */
export function useStickToEnd() {
  const scrollRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const isSticking = useRef(true)
  const [hasNewContent, setHasNewContent] = useState(false)

  const scrollToEnd = useCallback((behavior: ScrollBehavior = 'instant') => {
    isSticking.current = true
    setHasNewContent(false)
    scrollRef.current?.scrollTo({ top: scrollRef.current.scrollHeight, behavior })
  }, [])

  useEffect(() => {
    const [outer, inner] = [scrollRef.current, contentRef.current]
    if (!outer || !inner) return
    let height = inner.clientHeight
    const observer = new ResizeObserver(() => {
      const hasGrown = inner.clientHeight > height
      height = inner.clientHeight
      if (isSticking.current) outer.scrollTop = outer.scrollHeight
      else if (hasGrown) setHasNewContent(true)
    })
    observer.observe(inner)
    observer.observe(outer)
    let [lastScrollTop, lastScrollHeight] = [outer.scrollTop, outer.scrollHeight]
    function handleScroll() {
      if (!outer) return
      const isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEndPx
      // Scroll events are late: only upward scrolling in a list that didn't shrink is the reader's.
      if (isAtEnd) isSticking.current = true
      else if (outer.scrollTop < lastScrollTop && outer.scrollHeight >= lastScrollHeight) isSticking.current = false
      if (isSticking.current) setHasNewContent(false)
      lastScrollTop = outer.scrollTop
      lastScrollHeight = outer.scrollHeight
    }
    outer.addEventListener('scroll', handleScroll, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', handleScroll)
    }
  }, [])

  return { scrollRef, contentRef, hasNewContent, scrollToEnd }
}
