import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useAgentEditing } from './agent-editor.tsx'
import type { AgentField } from './agent-form-values.ts'

export interface Disclosure {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Opens when one of `fields` shows an error. */
export function useDisclosure(fields: readonly AgentField[], initiallyOpen = false): Disclosure {
  const { errors } = useAgentEditing()
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? initiallyOpen
  if (!isOpen && fields.some((field) => errors[field])) setChosen(true)
  return { isOpen, onOpenChange: setChosen }
}

export interface CollapsibleSectionProps {
  title: string
  help?: ReactNode
  /** The values, shown while it is closed. */
  summary: ReactNode
  disclosure: Disclosure
  toggleId?: string
  children: ReactNode
}

export function CollapsibleSection({ title, help, summary, disclosure, toggleId, children }: CollapsibleSectionProps) {
  const { isOpen, onOpenChange } = disclosure
  const panelId = useId()
  return (
    <section
      aria-label={title}
      className="relative grid grid-cols-[160px_minmax(0,1fr)] gap-x-8 border-t border-border py-4 phone:grid-cols-1 phone:py-3"
    >
      <div className={isOpen ? 'phone:mb-4' : 'self-baseline'}>
        <h3 className="flex phone:pe-8">
          <button
            type="button"
            id={toggleId}
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={() => onOpenChange(!isOpen)}
            className={classNames(
              'flex-1 text-start outline-hidden phone:min-h-6',
              'after:absolute after:inset-x-0 after:top-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring',
              isOpen ? 'after:h-14' : 'after:bottom-0 hover:after:bg-fill-hover',
            )}
          >
            {title}
          </button>
        </h3>
        {isOpen && help && <p className="mt-1 text-small leading-[1.0625rem] text-muted-foreground">{help}</p>}
      </div>
      {!isOpen && (
        <p dir="auto" className="min-w-0 self-baseline truncate pe-9 text-ui text-muted-foreground phone:mt-0.5">
          {summary}
        </p>
      )}
      <div id={panelId} className={isOpen ? 'flex min-w-0 flex-col gap-4 desk:pe-9' : 'hidden'}>
        {isOpen && children}
      </div>
      <ChevronDown
        aria-hidden
        size={16}
        className={classNames(
          'pointer-events-none absolute end-2 top-5 text-muted-foreground transition-transform duration-120 phone:top-4',
          isOpen && 'rotate-180',
        )}
      />
    </section>
  )
}
