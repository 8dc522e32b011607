import type { ModelDetails, ModelList } from '#contract/agents/models.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { useAgentEditing } from './agent-editor.tsx'
import { getModelNames, getSourceText, ListSource, useModelList } from './provider-lists.tsx'
import { getRetirementText, RetirementBadge, SwitchModelButton, useRetiringModels } from './retiring-models.tsx'
import { SuggestField } from './suggest-field.tsx'

export function ModelField() {
  const { readOnly, values, errors, set, showProblem } = useAgentEditing()
  const { model_provider: provider, model } = values
  const { list, loading, problem, refresh, refreshing } = useModelList(provider)
  const modelNames = getModelNames(provider, list)
  const typedModel = model.trim()
  const details = list?.details?.find((candidate) => candidate.model === typedModel)
  const isUnlisted = !loading && typedModel !== '' && !modelNames.includes(typedModel)
  return (
    <div className="min-w-0">
      <SuggestField
        label="Model"
        required
        value={model}
        onValueChange={(next) => set({ model: next })}
        onBlur={() => showProblem('model')}
        options={modelNames.map((value) => ({ value, badges: getBadge(list, value) }))}
        loading={loading}
        error={errors.model}
        help={isUnlisted ? 'Not in this list, so it’s sent as typed.' : undefined}
      />
      <ListSource
        getText={(now) => getSourceText(provider, list, now)}
        listName="models"
        loading={loading}
        problem={problem}
        onRefresh={refresh}
        refreshing={refreshing}
        disabled={readOnly}
      />
      <RetirementNotice details={details} />
    </div>
  )
}

function getBadge(list: ModelList | undefined, model: string) {
  const details = list?.details?.find((candidate) => candidate.model === model)
  return details && details.status !== 'available' ? <RetirementBadge model={details} /> : undefined
}

/** Warns that the model is ending; its replacement is saved directly, or set in the form if there are other changes. */
function RetirementNotice({ details }: { details: ModelDetails | undefined }) {
  const { agent, readOnly, values, isDirty, set } = useAgentEditing()
  const model = values.model.trim()
  const savedRetirement = useRetiringModels().find(({ agent_id }) => agent_id === agent?.id)
  const isSaved = agent !== null && savedRetirement?.model === model
  const retirement = isSaved ? savedRetirement : details
  const text = retirement && getRetirementText(retirement)
  if (!retirement || !text) return null
  const { replacement } = retirement
  const switchButton =
    replacement !== null &&
    (isSaved && !isDirty ? (
      <SwitchModelButton retiringModel={savedRetirement} />
    ) : (
      <Button size="small" onClick={() => set({ model: replacement })}>
        Use {replacement}
      </Button>
    ))
  return (
    <Banner tone="warning" className="mt-2" action={!readOnly && switchButton}>
      {model}: {text}.{replacement !== null && ` ${replacement} replaces it.`}
    </Banner>
  )
}
