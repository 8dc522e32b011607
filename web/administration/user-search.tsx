import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'

interface UserSearchProps {
  value: string
  onValueChange: (text: string) => void
  /** At the end of the line. */
  children?: ReactNode
}

export function UserSearch({ value, onValueChange, children }: UserSearchProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border px-3.5 py-2.5">
      <SearchField
        label="Search users..."
        value={value}
        onValueChange={onValueChange}
        className="w-70 max-w-full phone:w-50 phone:flex-1"
      />
      {children}
    </div>
  )
}

export function NoUsersFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyPanel className="m-4" title="No people match." action={<Button onClick={onClear}>Clear</Button>}>
      Search covers names and emails.
    </EmptyPanel>
  )
}
