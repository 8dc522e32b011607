import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { ListSource } from './list-source.tsx'
import { modelNames, sourceText, useModelList } from './provider-lists.ts'
import { SuggestField } from './suggest-field.tsx'

/** A model the provider offers, or any other name typed. */
export function ModelField() {
  const { readOnly } = useAgentEditing()
  const { watch, setValue, trigger, formState } = useAgentFields()
  const [provider, model] = watch(['model_provider', 'model'])
  const { list, loading, problem, refresh, refreshing } = useModelList(provider)
  const names = modelNames(provider, list)
  const isOther = !loading && model.trim() !== '' && !names.includes(model.trim())
  return (
    <div className="min-w-0">
      <SuggestField
        label="Model"
        required
        value={model}
        onValueChange={(next) => setValue('model', next, { shouldDirty: true, shouldValidate: true })}
        onBlur={() => trigger('model')}
        options={names.map((value) => ({ value }))}
        loading={loading}
        error={formState.errors.model?.message}
        help={isOther ? 'Not in this list. It is sent as typed.' : undefined}
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
    </div>
  )
}
