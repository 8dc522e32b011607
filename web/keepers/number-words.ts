const numberWords = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
]

/** 'Six', for the start of a sentence; from 13 on, digits. */
export const toNumberWord = (count: number): string => numberWords[count] ?? count.toLocaleString('en-US')
