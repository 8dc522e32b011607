import { Play, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { controlClasses } from '#web/ui/fields/field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { type RunInputState, testInput } from './use-test-runs.ts'

interface RunButtonProps {
  agent: Agent
  running: boolean
  runInput: RunInputState
  className?: string
}

/** Opens the line of input, or closes it. */
export function RunButton({ agent, running, runInput, className }: RunButtonProps) {
  const canRun = agent.status === 'ready' && agent.may.run && !running
  const isOpen = runInput.openAgentId === agent.id
  return (
    <Button
      size="small"
      disabled={!canRun}
      aria-expanded={isOpen}
      onClick={() => runInput.onOpen(isOpen ? undefined : agent)}
      aria-keyshortcuts="R"
      icon={<Play aria-hidden size={13} strokeWidth={2.2} className={canRun ? 'text-primary' : undefined} />}
      className={className}
    >
      {running || agent.status === 'in-progress' ? 'Running' : 'Run'}
    </Button>
  )
}

interface RunInputProps {
  agent: Agent
  onRun: (agent: Agent, input: string) => void
  onClose: () => void
  className?: string
}

/** One line of input for a test run; left empty, it sends the placeholder. */
export function RunInput({ agent, onRun, onClose, className }: RunInputProps) {
  const [input, setInput] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  function close(form: HTMLElement) {
    form.closest('[data-item]')?.querySelector<HTMLElement>('a[href]')?.focus()
    onClose()
  }
  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    close(event.currentTarget)
    onRun(agent, input.trim() || testInput)
  }
  function handleKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close(event.currentTarget)
  }
  return (
    <form
      aria-label={`Run ${agent.name}`}
      onSubmit={handleSubmit}
      onKeyDown={handleKeyDown}
      className={classNames('flex animate-fade items-center gap-1.5', className)}
    >
      <input
        ref={field}
        aria-label={`Test input for ${agent.name}`}
        placeholder={testInput}
        value={input}
        maxLength={100_000}
        enterKeyHint="go"
        onChange={(event) => setInput(event.currentTarget.value)}
        className={classNames(controlClasses, 'h-8 min-w-0 flex-1 text-ui phone:h-10')}
      />
      <Button
        type="submit"
        size="small"
        variant="primary"
        icon={<Play aria-hidden size={12} />}
        className="phone:min-h-10"
      >
        Run
      </Button>
      <IconButton
        label="Close the input"
        size="small"
        onClick={(event) => close(event.currentTarget)}
        className="phone:min-h-10 phone:min-w-10"
      >
        <X aria-hidden size={14} />
      </IconButton>
    </form>
  )
}
