export function getPersonName(person: { name: string | null; email: string | null }): string {
  return person.name || person.email || 'Unnamed user'
}
