import { Info } from 'lucide-react'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Tooltip } from '#web/ui/overlays/tooltip.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { AgentClassCards } from './agent-class-cards.tsx'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import { suggestSlug } from './check-agent-form.ts'

export function IdentitySection() {
  const { agent, values, errors, set, type } = useAgentEditing()
  const suggestedSlug = suggestSlug(values.slug)
  const isSlugTyped = values.slug !== '' && values.slug !== toSlug(values.name)

  function changeName(name: string) {
    type({ name })
    if (!agent && !isSlugTyped) set({ slug: toSlug(name) })
  }

  return (
    <Section title="Identity" help="The agent’s name, and the slug other agents call it by.">
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <TextField
          {...useFieldProps('name')}
          onChange={(event) => changeName(event.currentTarget.value)}
          required
          maxLength={120}
          autoComplete="off"
        />
        <div className="relative">
          <TextField
            {...useFieldProps('slug')}
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
                    onFix: () => set({ slug: suggestedSlug }),
                  }
                : undefined
            }
          />
          <SlugNote />
        </div>
        <AgentClassCards error={errors.agent_class} />
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
