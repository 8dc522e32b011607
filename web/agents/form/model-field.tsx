import { useEffect, useRef } from 'react'
import type { ModelDetails, ModelList } from '#contract/agents/models.ts'
import { getProviderFacts } from '#contract/providers/registry.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { EndingBadge, SwitchModelButton, useEndingModels } from './ending-models.tsx'
import { endingText } from './ending-text.ts'
import { ListSource } from './list-source.tsx'
import { modelNames, sourceText, useModelList } from './provider-lists.ts'
import { SuggestField } from './suggest-field.tsx'

export function ModelField() {
  const { agent, readOnly } = useAgentEditing()
  const { watch, setValue, trigger, formState } = useAgentFields()
  const [provider, model] = watch(['model_provider', 'model'])
  const { list, loading, problem, refresh, refreshing } = useModelList(provider)
  const names = modelNames(provider, list)
  const typed = model.trim()
  const details = list?.details?.find((known) => known.model === typed)
  const defaultModel = list?.default_model
  const isChosen = useRef(false)
  // For a new agent, the default model is replaced once by the provider's.
  useEffect(() => {
    if (!defaultModel || isChosen.current) return
    isChosen.current = true
    if (agent === null && typed === getProviderFacts(provider).settings.model && typed !== defaultModel)
      setValue('model', defaultModel, { shouldValidate: true })
  }, [agent, defaultModel, typed, provider, setValue])
  const isOther = !loading && model.trim() !== '' && !names.includes(model.trim())
  return (
    <div className="min-w-0">
      <SuggestField
        label="Model"
        required
        value={model}
        onValueChange={(next) => setValue('model', next, { shouldDirty: true, shouldValidate: true })}
        onBlur={() => trigger('model')}
        options={names.map((value) => ({ value, badges: badgeFor(list, value) }))}
        loading={loading}
        error={formState.errors.model?.message}
        help={isOther ? 'Not in this list, so it’s sent as typed.' : undefined}
      />
      <ListSource
        text={(now) => sourceText(provider, list, now)}
        what="models"
        loading={loading}
        problem={problem}
        onRefresh={refresh}
        refreshing={refreshing}
        disabled={readOnly}
      />
      <EndingNotice details={details} />
    </div>
  )
}

function badgeFor(list: ModelList | undefined, model: string) {
  const details = list?.details?.find((known) => known.model === model)
  return details && details.status !== 'available' ? <EndingBadge model={details} /> : undefined
}

/** Warns that the model is ending; its replacement is saved directly, or set in the form if there are other changes. */
function EndingNotice({ details }: { details: ModelDetails | undefined }) {
  const { agent, readOnly } = useAgentEditing()
  const { watch, setValue, formState } = useAgentFields()
  const model = watch('model').trim()
  const saved = useEndingModels().find(({ agent_id }) => agent_id === agent?.id)
  const isSaved = agent !== null && saved?.model === model
  const ending = isSaved ? saved : details
  const text = ending && endingText(ending)
  if (!ending || !text) return null
  const { replacement } = ending
  return (
    <Banner
      tone="warning"
      className="mt-2"
      action={
        readOnly || replacement === null ? undefined : isSaved && !formState.isDirty ? (
          <SwitchModelButton ending={saved} />
        ) : (
          <Button
            size="small"
            onClick={() => setValue('model', replacement, { shouldDirty: true, shouldValidate: true })}
          >
            Use {replacement}
          </Button>
        )
      }
    >
      {model}: {text}.{replacement !== null && ` ${replacement} replaces it.`}
    </Banner>
  )
}
