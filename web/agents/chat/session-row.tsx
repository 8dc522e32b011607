import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import type { ChatSession } from '#contract/agents/chat.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { ShortTime } from '../runs/short-time.tsx'

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
          <ShortTime value={session.updated_at} />
          {count === 0 ? ', empty' : `, ${pluralize(count, 'message')}`}
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
  const rename = useMutation({ mutationFn: () => onRename(newName), onSuccess: onDone })

  const cancelRename = useEffectEvent(onDone)
  // In the capture phase, so that Escape cancels the rename instead of closing the drawer.
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancelRename()
    }
    addEventListener('keydown', handleKeyDown, { capture: true })
    return () => removeEventListener('keydown', handleKeyDown, { capture: true })
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!rename.isPending) rename.mutate()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextField
        label="Session name"
        labelHidden
        autoFocus
        value={newName}
        error={rename.error && getReasonText(rename.error)}
        onChange={(event) => setNewName(event.currentTarget.value)}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" disabled={rename.isPending} onClick={onDone}>
          Cancel
        </Button>
        <Button
          size="small"
          type="submit"
          variant="primary"
          busy={rename.isPending}
          busyLabel="Saving..."
          disabled={newName.trim() === ''}
        >
          Save
        </Button>
      </div>
    </form>
  )
}
