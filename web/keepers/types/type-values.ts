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
