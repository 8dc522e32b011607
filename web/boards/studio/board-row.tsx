import { Copy, Ellipsis, PencilLine, Trash2, Users } from 'lucide-react'
import { useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { BoardInList } from '#contract/boards/boards.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { controlClasses } from '#web/ui/fields/field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { isSampleBoard } from '../board-queries.ts'
import { changeConfig } from '../document/board-document.ts'
import type { BoardEditor } from '../document/board-editor.ts'
import { boardTypeNames, untitledBoard } from './studio-texts.ts'
import type { BoardActions } from './use-board-actions.ts'

export interface OpenEditor {
  editor: BoardEditor
  /** Resolves to whether everything was saved. */
  save: () => Promise<boolean>
}

interface BoardRowProps {
  board: BoardInList
  /** Set if this board is open. */
  openEditor: OpenEditor | null
  isOpen: boolean
  actions: BoardActions
  onChosen?: () => void
}

const subscribeToNothing = () => () => undefined

export function BoardRow({ board, openEditor, isOpen, actions, onChosen }: BoardRowProps) {
  const editor = openEditor?.editor
  const [isRenaming, setRenaming] = useState(false)
  const getState = () => editor?.getSnapshot()
  const liveState = useSyncExternalStore(editor?.subscribe ?? subscribeToNothing, getState, getState)
  const name = (liveState?.document.config.name ?? board.name) || untitledBoard
  const frameCount = liveState?.document.frames.length ?? board.frameCount
  const canEdit = board.may !== 'view'

  function rename(next: string) {
    setRenaming(false)
    const newName = next.trim() || untitledBoard
    if (newName === name) return
    if (editor) editor.edit('Rename the board', changeConfig({ name: newName }))
    else void actions.rename(board, newName)
  }

  /** Copies are made on the server, so unsaved changes are saved first. */
  async function duplicate() {
    if (!openEditor?.editor.getSnapshot().isDirty || (await openEditor.save()))
      await actions.duplicate({ id: board.id, name })
  }

  return (
    <li
      data-item
      className={classNames(
        'group relative border-y border-transparent',
        isOpen ? 'border-border bg-card shadow-[inset_3px_0_0_var(--k-ribbon)]' : 'hover:bg-fill',
      )}
    >
      {isRenaming ? (
        <div className="px-3 py-2">
          <NameBox value={name} label={`New name of ${name}`} onSubmit={rename} onCancel={() => setRenaming(false)} />
        </div>
      ) : (
        <Link
          to={`?board=${encodeURIComponent(board.id)}`}
          aria-current={isOpen || undefined}
          onClick={onChosen}
          className="block py-[6px] ps-4 pe-9 focus-visible:-outline-offset-2"
        >
          <span className="flex items-center gap-1.5 font-semibold">
            <span dir="auto" className="truncate">
              {name}
            </span>
            {liveState?.isDirty && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-ribbon" />}
            {board.isShared && <Users aria-label="Shared" size={12} className="shrink-0 text-muted-foreground" />}
          </span>
          <span className="block truncate text-small text-muted-foreground">
            {boardTypeNames[board.type]}, {pluralize(frameCount, 'frame')}
          </span>
        </Link>
      )}
      {!isRenaming && !isSampleBoard(board.id) && (
        <Menu
          trigger={
            <IconButton
              label={`More for ${name}`}
              size="small"
              className="absolute! end-1.5 top-2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100 phone:opacity-100"
            >
              <Ellipsis aria-hidden size={15} />
            </IconButton>
          }
        >
          {canEdit && (
            <MenuItem icon={<PencilLine aria-hidden size={15} />} onSelect={() => setRenaming(true)}>
              Rename
            </MenuItem>
          )}
          <MenuItem icon={<Copy aria-hidden size={15} />} onSelect={() => void duplicate()}>
            Duplicate
          </MenuItem>
          {board.may === 'owner' && (
            <>
              <MenuSeparator />
              <MenuItem
                danger
                icon={<Trash2 aria-hidden size={15} />}
                onSelect={() => void actions.remove({ id: board.id, name }, { isOpen })}
              >
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
      )}
    </li>
  )
}

interface NameBoxProps {
  value: string
  label: string
  /** On Enter or blur. */
  onSubmit: (name: string) => void
  onCancel: () => void
  className?: string
}

export function NameBox({ value, label, onSubmit, onCancel, className }: NameBoxProps) {
  const [name, setName] = useState(value)
  const isFinished = useRef(false)
  function finishEditing(action: () => void) {
    if (isFinished.current) return
    isFinished.current = true
    action()
  }
  return (
    <input
      dir="auto"
      ref={(input) => {
        if (!input || document.activeElement === input || isFinished.current) return
        input.focus()
        input.select()
      }}
      aria-label={label}
      value={name}
      maxLength={120}
      autoComplete="off"
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => finishEditing(() => onSubmit(name))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finishEditing(() => onSubmit(name))
        if (event.key !== 'Escape') return
        event.stopPropagation()
        finishEditing(onCancel)
      }}
      className={classNames(controlClasses, 'h-8', className)}
    />
  )
}
