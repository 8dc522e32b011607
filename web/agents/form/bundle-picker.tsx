import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Field, type FieldProps } from '#web/ui/fields/field.tsx'
import { moveItem } from '#web/ui/fields/use-reorder.ts'
import { parseBundle } from './name-list.ts'
import { SuggestionList, useSuggestions } from './suggest-field.tsx'

interface BundleChipProps {
  slug: string
  position: number
  total: number
  onMove: (offset: 1 | -1) => void
  onRemove: () => void
}

const smallButtonClasses = 'grid size-6 shrink-0 place-items-center rounded-[5px] hover:bg-fill disabled:opacity-40'

function BundleChip({ slug, position, total, onMove, onRemove }: BundleChipProps) {
  const [isChosen, setIsChosen] = useState(false)

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      onMove(event.key === 'ArrowLeft' ? -1 : 1)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove()
    } else if (event.key === 'Escape' && isChosen) {
      event.stopPropagation()
      setIsChosen(false)
    }
  }

  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-[5px] bg-secondary font-mono text-[0.75rem] text-secondary-foreground has-[[aria-pressed=true]]:ring-1 has-[[aria-pressed=true]]:ring-ring">
      {isChosen && (
        <button
          type="button"
          aria-label={`Move ${slug} earlier`}
          disabled={position === 1}
          onClick={() => onMove(-1)}
          className={smallButtonClasses}
        >
          <ChevronLeft aria-hidden size={12} />
        </button>
      )}
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={`${slug}, ${position} of ${total}. Arrow keys move it.`}
        onClick={() => setIsChosen(!isChosen)}
        onKeyDown={handleKeyDown}
        className="h-6 min-w-0 truncate rounded-[5px] ps-2 pe-1"
      >
        {slug}
      </button>
      {isChosen && (
        <button
          type="button"
          aria-label={`Move ${slug} later`}
          disabled={position === total}
          onClick={() => onMove(1)}
          className={smallButtonClasses}
        >
          <ChevronRight aria-hidden size={12} />
        </button>
      )}
      <button
        type="button"
        aria-label={`Remove ${slug}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-[5px] hover:text-destructive"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  )
}

export interface BundlePickerProps extends FieldProps {
  label: string
  value: string[]
  onValueChange: (slugs: string[]) => void
  onBlur?: () => void
  agents: Agent[]
  excludedSlug: string
}

export function BundlePicker({ value, onValueChange, onBlur, agents, excludedSlug, ...field }: BundlePickerProps) {
  const [text, setText] = useState('')
  const options = agents
    .filter(({ slug }) => slug !== excludedSlug && !value.includes(slug))
    .filter(({ slug, name }) => `${slug} ${name.toLowerCase()}`.includes(text.trim().toLowerCase()))
    .map(({ slug, name }) => ({ value: slug, note: name }))
  const suggestions = useSuggestions({ options, onPick: addAgents, onBlur: handleBlur })

  function handleBlur() {
    if (text.trim() !== '') addAgents(resolveTyped(text))
    onBlur?.()
  }
  function addAgents(slugs: string) {
    const next = [...new Set([...value, ...parseBundle(slugs)])]
    if (next.length > value.length) onValueChange(next)
    setText('')
  }
  /** A partial name selects the only agent it matches. */
  function resolveTyped(typed: string): string {
    const slug = typed.trim().toLowerCase()
    const onlyMatch = options.length === 1 && !agents.some((agent) => agent.slug === slug) ? options[0] : undefined
    return onlyMatch?.value ?? typed
  }
  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (suggestions.handleKeyDown(event)) return
    if ((event.key === 'Enter' || event.key === ',' || event.key === ' ') && text.trim() !== '') {
      event.preventDefault()
      addAgents(resolveTyped(text))
    } else if (event.key === 'Enter') {
      event.preventDefault()
    } else if (event.key === 'Backspace' && text === '') {
      onValueChange(value.slice(0, -1))
    }
  }
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const pastedText = event.clipboardData.getData('text')
    if (!/[\s,;]/.test(pastedText.trim())) return
    event.preventDefault()
    addAgents(pastedText)
  }

  return (
    <Field
      help={
        value.length > 1
          ? 'The Coordinator sees these agents in this order and decides which to call. Select one to move it.'
          : undefined
      }
      {...field}
    >
      {(control) => (
        <div className="relative">
          <div className="flex min-h-9 flex-wrap items-center gap-[5px] rounded-md border border-input bg-card px-[7px] py-[5px] transition-[border-color,box-shadow] duration-120 has-[input:focus-visible]:border-ring has-[input:focus-visible]:shadow-halo has-aria-invalid:border-destructive phone:min-h-[2.625rem]">
            {value.map((slug, index) => (
              <BundleChip
                key={slug}
                slug={slug}
                position={index + 1}
                total={value.length}
                onMove={(offset) => onValueChange(moveItem(value, index, index + offset))}
                onRemove={() => onValueChange(value.filter((selectedSlug) => selectedSlug !== slug))}
              />
            ))}
            <input
              {...control}
              {...suggestions.inputProps}
              value={text}
              placeholder={value.length === 0 ? 'Choose agents' : undefined}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={handleKeyDown}
              onPaste={handlePaste}
              className="min-w-20 flex-1 bg-transparent px-1 font-mono text-ui outline-hidden phone:text-lead"
            />
          </div>
          <SuggestionList suggestions={suggestions} label={field.label} />
        </div>
      )}
    </Field>
  )
}
