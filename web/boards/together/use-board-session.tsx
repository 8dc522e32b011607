import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useAuth } from '#web/page/auth-context.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardSession, type BoardSessionState } from './board-session.ts'
import type { OverwrittenChange } from './relayed-changes.ts'

const BoardSessionContext = createContext<BoardSession | null>(null)

/** Requires a BoardEditorProvider. */
export function BoardSessionProvider({ children }: { children: ReactNode }) {
  const editor = useBoardEditor()
  const { user } = useAuth()
  const personId = user?.id ?? ''
  const session = useMemo(() => new BoardSession(editor, personId, notifyOverwritten), [editor, personId])
  useEffect(() => session.join(), [session])
  // All queries are refetched after a gap in the event stream, so this one triggers the rejoin.
  const [queryId] = useState(() => createClientId())
  useQuery({
    queryKey: ['board-session', queryId],
    queryFn: () => {
      void session.rejoin()
      return null
    },
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return <BoardSessionContext value={session}>{children}</BoardSessionContext>
}

/** `null` for a sample or a board opened by link. */
export function useBoardSession(): BoardSession | null {
  return use(BoardSessionContext)
}

const emptyState: BoardSessionState = { participants: [], isClosed: false }
const getEmptyState = () => emptyState
const neverNotify = () => () => {}

export function useBoardSessionState(): BoardSessionState {
  const session = use(BoardSessionContext)
  return useSyncExternalStore(session?.subscribe ?? neverNotify, session?.getSnapshot ?? getEmptyState, getEmptyState)
}

function notifyOverwritten({ personName, frameNames, restore }: OverwrittenChange): void {
  const [firstName, ...otherNames] = frameNames
  const framesText = otherNames.length > 0 ? `${frameNames.length} frames` : `“${firstName}”`
  const subject = firstName === undefined ? 'the board' : framesText
  void showToast(withNames`${getFirstName(personName)} changed ${subject} after you, so your change was replaced.`, {
    onUndo: restore,
    undoLabel: 'Restore mine',
    durationMs: 12_000,
  })
}

const cursorColors = ['#1d4e89', '#8a4b08', '#2f6b4f', '#8c2f39', '#5e4b8b', '#0f6674'] as const

/** White text has a contrast of at least 5.5 : 1 on each color. */
export function getPersonColor(personId: string): string {
  let hash = 0
  for (const char of personId) hash = (hash * 31 + char.charCodeAt(0)) >>> 0
  return cursorColors[hash % cursorColors.length] ?? cursorColors[0]
}

export function getFirstName(name: string | null): string {
  return name?.trim().split(/\s+/)[0] || 'Someone'
}
