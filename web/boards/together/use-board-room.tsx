import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useAuth } from '#web/accounts/auth-context.tsx'
import { newClientId } from '#web/offline/new-client-id.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { useBoardEditor } from '../document/use-board-editor.tsx'
import { BoardRoom, type RoomState } from './board-room.ts'
import type { Overwritten } from './passed-changes.ts'
import { firstName } from './person-colour.ts'

const Room = createContext<BoardRoom | null>(null)

/** Requires a BoardEditorProvider. */
export function BoardRoomProvider({ children }: { children: ReactNode }) {
  const editor = useBoardEditor()
  const { user } = useAuth()
  const personId = user?.id ?? ''
  const room = useMemo(() => new BoardRoom(editor, personId, tellOverwritten), [editor, personId])
  useEffect(() => room.enter(), [room])
  // All queries are refetched after a gap in the event stream, so this one triggers the rejoin.
  const [asked] = useState(() => newClientId())
  useQuery({
    queryKey: ['board-room', asked],
    queryFn: () => {
      void room.again()
      return null
    },
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return <Room value={room}>{children}</Room>
}

/** `null` for a sample or a board opened by link. */
export function useBoardRoom(): BoardRoom | null {
  return use(Room)
}

const alone: RoomState = { others: [], closed: false }
const aloneSeen = () => alone
const neverChanges = () => () => {}

export function useRoomState(): RoomState {
  const room = use(Room)
  return useSyncExternalStore(room?.listen ?? neverChanges, room?.seen ?? aloneSeen, aloneSeen)
}

function tellOverwritten({ name, frames, putBack }: Overwritten): void {
  const [first, ...more] = frames
  const what = first === undefined ? 'the board' : more.length > 0 ? `${frames.length} frames` : `“${first}”`
  void showToast(`${firstName(name)} changed ${what} after you, so your change was replaced.`, {
    onUndo: putBack,
    undoLabel: 'Restore mine',
    staysMilliseconds: 12_000,
  })
}
