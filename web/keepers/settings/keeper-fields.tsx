import { useQuery } from '@tanstack/react-query'
import type { EntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { describePattern, getPatternOptions } from '../keeper-labels.ts'
import { useCustomPatterns } from '../use-custom-patterns.ts'
import type { KeeperValues } from './keeper-values.ts'

interface KeeperFieldsProps {
  form: EntityForm<KeeperValues>
  /** New keepers need a type; existing ones can have none. */
  isTypeRequired?: boolean
}

export function KeeperFields({ form: { values, set, field, errors }, isTypeRequired = false }: KeeperFieldsProps) {
  const { data: types, error } = useQuery(keeperTypesQuery)
  const customPatterns = useCustomPatterns()
  const isListedType = types?.some(({ id }) => id === values.keeperTypeId) ?? false
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <TextField label="Title" required maxLength={120} {...field('title')} className="col-span-2 phone:col-span-1" />
      <TextArea
        label="Purpose"
        required
        maxLength={2000}
        {...field('purpose')}
        className="col-span-2 phone:col-span-1"
      />
      <SelectField
        label="Keeper type"
        {...field('keeperTypeId')}
        error={errors.keeperTypeId ?? errors.keeperType}
        help={error ? 'Failed to load keeper types. The current type stays.' : undefined}
        options={[
          ...(isTypeRequired ? [] : [{ value: '', label: 'No type' }]),
          ...(values.keeperTypeId !== '' && !isListedType
            ? [{ value: values.keeperTypeId, label: 'Current type' }]
            : []),
          ...(types ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label="Memory pattern"
        {...field('memoryPattern')}
        help={describePattern(values.memoryPattern, customPatterns)}
        options={getPatternOptions(values.memoryPattern, customPatterns)}
      />
      <SelectField
        label="Theme"
        {...field('theme')}
        help="The colors of this keeper’s pages. Keeper Classic follows the theme you use."
        options={builtInThemes.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <Checkbox
        label="Public page (coming later)"
        help="Nothing becomes visible yet. Your choice takes effect once public pages exist."
        checked={values.isPublic}
        onCheckedChange={(isPublic) => set({ isPublic })}
        className="self-center"
      />
    </div>
  )
}
