import { lazy, Suspense } from 'react'
import { contextScopes } from '#contract/agents/agent-constants.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { useAgentList } from '../agent-queries.ts'
import { useAgentFields, useFieldProps } from './agent-editor.tsx'

const ToolsField = lazy(() => import('./tools-field.tsx').then((module) => ({ default: module.ToolsField })))
const BundlePicker = lazy(() => import('./bundle-picker.tsx').then((module) => ({ default: module.BundlePicker })))

const scopeOptions = contextScopes.map((scope) => ({ value: scope, label: scope || 'General' }))
const listFieldProps = { mono: true, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

export function ReachSection() {
  const { watch } = useAgentFields()
  const isCoordinator = watch('agent_class') === 'Coordinator'
  return (
    <Section title="Reach" help="What the agent can see and do.">
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <SelectField {...useFieldProps('context_scope')} required options={scopeOptions} />
        {isCoordinator && (
          <Suspense fallback={<Skeleton className="h-[58px]" />}>
            <BundleField />
          </Suspense>
        )}
        <Suspense fallback={<Skeleton className={classNames('h-[58px]', !isCoordinator && 'col-start-1')} />}>
          <ToolsField className={isCoordinator ? undefined : 'col-start-1'} />
        </Suspense>
        <TextField
          {...useFieldProps('permissions')}
          {...listFieldProps}
          help="Labels for your own use. They grant nothing; only the agent’s tools do."
        />
      </div>
    </Section>
  )
}

function BundleField() {
  const { watch, setValue, formState, trigger } = useAgentFields()
  const { data } = useAgentList()
  return (
    <BundlePicker
      label="Agent bundle"
      required
      value={watch('bundle')}
      onValueChange={(bundle) => setValue('bundle', bundle, { shouldDirty: true, shouldValidate: true })}
      onBlur={() => trigger('bundle')}
      agents={data?.agents ?? []}
      excludedSlug={watch('slug')}
      error={formState.errors.bundle?.message}
    />
  )
}
