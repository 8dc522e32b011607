import { Check, Circle, CircleAlert } from 'lucide-react'
import { Card } from '#web/ui/panels/card.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { checkAgentForm, getChecklist } from './check-agent-form.ts'

export function FormRequirements() {
  const { agent, knownNames } = useAgentEditing()
  const values = useAgentFields().watch()
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">
        {agent ? 'To update this agent' : 'To create this agent'}
      </h2>
      <ul className="mt-2 flex flex-col gap-[5px] text-ui">
        {getChecklist(values, checkAgentForm(values, agent?.slug, knownNames)).map(
          ({ text, isMet, isInvalid, isOptional }) => (
            <li key={text} className={isInvalid ? 'flex gap-2 text-destructive' : 'flex gap-2'}>
              {isMet ? (
                <Check aria-hidden size={14} strokeWidth={2.3} className="mt-[3px] shrink-0 text-success" />
              ) : isInvalid ? (
                <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
              ) : (
                <Circle aria-hidden size={14} className="mt-[3px] shrink-0 text-muted-foreground" />
              )}
              {text}
              <span className="sr-only">{isMet ? ' (done)' : isOptional ? ' (optional)' : ' (to do)'}</span>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}
