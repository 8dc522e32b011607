import { Info } from 'lucide-react'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Tooltip } from '#web/ui/overlays/tooltip.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { AgentClassCards } from './agent-class-cards.tsx'
import { useAgentEditing, useAgentFields, useFieldProps } from './agent-editor.tsx'
import { suggestSlug } from './check-agent-form.ts'

export function IdentitySection() {
  const { agent, slugTyped } = useAgentEditing()
  const { watch, setValue, formState } = useAgentFields()
  const suggestedSlug = suggestSlug(watch('slug'))

  const name = useFieldProps('name', {
    onChange({ target }: { target: HTMLInputElement }) {
      if (agent || slugTyped.current) return
      setValue('slug', toSlug(target.value), { shouldDirty: true, shouldValidate: true })
    },
  })
  const slug = useFieldProps('slug', {
    onChange({ target }: { target: HTMLInputElement }) {
      slugTyped.current = target.value !== ''
    },
  })

  return (
    <Section title="Identity" help="The agent’s name, and the slug other agents call it by.">
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <TextField {...name} required maxLength={120} autoComplete="off" />
        <div className="relative">
          <TextField
            {...slug}
            required
            mono
            maxLength={63}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            fix={
              suggestedSlug
                ? {
                    label: `Use ${suggestedSlug}`,
                    onFix: () =>
                      setValue('slug', suggestedSlug, { shouldDirty: true, shouldTouch: true, shouldValidate: true }),
                  }
                : undefined
            }
          />
          <SlugNote />
        </div>
        <AgentClassCards error={formState.errors.agent_class?.message} />
        <TextArea
          {...useFieldProps('purpose')}
          required
          rows={3}
          maxLength={8000}
          help="What the agent does and how. Its instructions start with this text."
          className="col-span-full"
        />
      </div>
    </Section>
  )
}

function SlugNote() {
  return (
    <Tooltip label="Only lowercase letters, numbers and hyphens are allowed">
      <button
        type="button"
        aria-label="About the slug"
        className="absolute start-11 -top-[3px] grid size-6 place-items-center rounded-full text-muted-foreground hover:text-foreground"
      >
        <Info aria-hidden size={13} />
      </button>
    </Tooltip>
  )
}
