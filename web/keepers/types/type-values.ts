export interface TypeValues {
  name: string
  description: string
  memoryPattern: string
}

export const emptyTypeValues: TypeValues = { name: '', description: '', memoryPattern: 'SOLE' }

export const toTypeValues = ({ name, description, memoryPattern }: TypeValues): TypeValues => ({
  name,
  description,
  memoryPattern,
})

export const getReadOnlyReason = ({ system }: { system: boolean }): string =>
  system
    ? 'This is a system-reserved Keeper Type. Editing is disabled.'
    : 'Someone you share a domain with created this keeper type. Only they can change it.'
