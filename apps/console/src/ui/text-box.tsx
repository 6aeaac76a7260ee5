import type { KeyboardEvent, Ref } from 'react';
import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';

export interface TextBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Lines of a longer text; one line when undefined. */
  rows?: number;
  type?: 'text' | 'search' | 'password' | 'number';
  hint?: string;
  placeholder?: string;
  isInvalid?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  inputRef?: Ref<HTMLTextAreaElement & HTMLInputElement>;
}

export function TextBox(props: TextBoxProps) {
  const { label, rows, hint, hideLabel = false, inputRef, placeholder, type = 'text', onKeyDown, ...field } = props;
  const input = {
    className: 'text-box-input',
    ...(inputRef === undefined ? {} : { ref: inputRef }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(onKeyDown === undefined ? {} : { onKeyDown }),
  };
  return (
    <TextField {...field} className="text-box" type={type} {...(hideLabel ? { 'aria-label': label } : {})}>
      {hideLabel ? null : <Label>{label}</Label>}
      {rows === undefined ? <Input {...input} autoComplete="off" /> : <TextArea {...input} rows={rows} dir="auto" />}
      {hint === undefined ? null : (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
    </TextField>
  );
}
