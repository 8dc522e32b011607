import { Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { ChatSession } from '#contract/agents/chat.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { formatFullTime, formatShortTime } from '../runs/log-texts.ts'
import { getReasonText } from '../runs/reason-text.ts'

export interface SessionRowProps {
  session: ChatSession
  isOpen: boolean
  onOpen: () => void
  onRename: (name: string) => Promise<void>
  onRemove: () => void
}

export function SessionRow({ session, isOpen, onOpen, onRename, onRemove }: SessionRowProps) {
  const [renaming, setRenaming] = useState(false)
  const { message_count: count } = session
  if (renaming)
    return (
      <li className="rounded-md px-2 py-2">
        <SessionRenameForm name={session.session_name} onRename={onRename} onDone={() => setRenaming(false)} />
      </li>
    )
  return (
    <li className={classNames('flex items-center gap-1 rounded-md pe-1', isOpen ? 'bg-accent' : 'hover:bg-fill')}>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        className="min-h-12 min-w-0 flex-1 rounded-md px-2 py-1.5 text-start"
      >
        <span className="block truncate text-body font-label">{session.session_name}</span>
        <span className="block text-small text-muted-foreground tabular-nums">
          <time dateTime={session.updated_at} title={formatFullTime(session.updated_at)}>
            {formatShortTime(session.updated_at)}
          </time>
          {count === 0 ? ', empty' : `, ${count} ${count === 1 ? 'message' : 'messages'}`}
        </span>
      </button>
      <IconButton label={`Rename ${session.session_name}`} size="small" onClick={() => setRenaming(true)}>
        <Pencil aria-hidden size={13} />
      </IconButton>
      <IconButton label={`Delete ${session.session_name}`} size="small" onClick={onRemove}>
        <Trash2 aria-hidden size={13} />
      </IconButton>
    </li>
  )
}

interface SessionRenameFormProps {
  name: string
  onRename: (name: string) => Promise<void>
  onDone: () => void
}

function SessionRenameForm({ name, onRename, onDone }: SessionRenameFormProps) {
  const [newName, setNewName] = useState(name)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const cancelRename = useEffectEvent(onDone)
  // Captured so that Escape cancels the rename, not the drawer.
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancelRename()
    }
    addEventListener('keydown', handleKeyDown, { capture: true })
    return () => removeEventListener('keydown', handleKeyDown, { capture: true })
  }, [])

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await onRename(newName)
      onDone()
    } catch (reason) {
      setProblem(getReasonText(reason))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={save} className="flex flex-col gap-2">
      <TextField
        label="Session name"
        labelHidden
        autoFocus
        value={newName}
        error={problem}
        onChange={(event) => setNewName(event.currentTarget.value)}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" disabled={busy} onClick={onDone}>
          Cancel
        </Button>
        <Button
          size="small"
          type="submit"
          variant="primary"
          busy={busy}
          busyLabel="Saving..."
          disabled={newName.trim() === ''}
        >
          Save
        </Button>
      </div>
    </form>
  )
}
