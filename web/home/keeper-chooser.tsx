import type { Keeper } from '#contract/keepers/keepers.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'

interface KeeperChooserProps {
  keeper: Keeper
  keepers: readonly Keeper[]
  onChoose: (id: string) => void
}

export function KeeperChooser({ keeper, keepers, onChoose }: KeeperChooserProps) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 phone:min-h-[2.625rem] phone:w-full">
      <Cover seed={keeper.id} width={24} height={32} />
      {keepers.length === 1 ? (
        <span className="min-w-0 truncate text-ui text-muted-foreground">
          <span className="sr-only">You’re writing in </span>
          {keeper.title}
        </span>
      ) : (
        <SelectField
          label="Write in"
          labelHidden
          value={keeper.id}
          onChange={(event) => onChoose(event.currentTarget.value)}
          options={keepers.map(({ id, title }) => ({ value: id, label: title }))}
          className="w-56 phone:w-auto phone:flex-1"
        />
      )}
    </div>
  )
}
