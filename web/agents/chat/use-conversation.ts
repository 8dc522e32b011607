import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ChatEntry } from './chat-entry.ts'
import { useComposerText, useQuestionEdit } from './unsent-text.ts'
import { type ChatOptions, useChat } from './use-chat.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

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
  onTurn?: () => void
  onReadAloud?: (entry: ChatEntry) => void
  onCreateGolden?: (answer: ChatEntry) => void
}

/** A chat with its composer, edited questions and scrolling, for a page or a board frame. */
export function useConversation({ onTurn, onReadAloud, onCreateGolden, ...options }: ConversationOptions) {
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
    // A message sent before the session is ready goes out once it is.
    if (!ready) return setSendPending(true)
    onTurn?.()
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
      chat.tryAgain()
      scrollToEnd()
    },
    regenerate: (answer) => {
      const question = findQuestion(answer)
      if (!question) return
      onTurn?.()
      chat.regenerate(question, answer)
      scrollToEnd()
    },
    showBranch: chat.showBranch,
    readAloud: (entry) => onReadAloud?.(entry),
    createGolden: (answer) => onCreateGolden?.(answer),
    startEdit: (question) => question.id && edit.start(question.id, question.content),
    changeEdit: edit.change,
    sendEdit: () => {
      if (edit.editing && chat.send(edit.editing.text, edit.editing.messageId)) focusTextBox()
    },
    cancelEdit: () => {
      edit.cancel()
      focusTextBox()
    },
  })

  /** Props of a message that don't depend on where the chat is. */
  const getMessageProps = (entry: ChatEntry) => ({
    entry,
    actions,
    hasFailed: chat.failed?.answer.key === entry.key,
    reconnecting: chat.reconnecting && entry === chat.reply,
    editing: edit.editing?.messageId === entry.id ? edit.editing?.text : undefined,
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
