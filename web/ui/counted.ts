/** '1 entry', '2 entries', '1,000 frames'. `many` where it takes more than an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
