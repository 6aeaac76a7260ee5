import type { ReactNode, Ref } from 'react';
import { Button } from 'react-aria-components';

export interface ActionButtonProps {
  children: ReactNode;
  onPress?: () => void;
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** It is being carried out: a second press does nothing. */
  isRunning?: boolean;
  isDisabled?: boolean;
  type?: 'button' | 'submit';
  label?: string;
  /** The key that does the same. */
  shortcut?: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function ActionButton({ children, kind = 'plain', isRunning, label, shortcut, ...rest }: ActionButtonProps) {
  return (
    <Button
      {...rest}
      className={`button button-${kind}`}
      isPending={isRunning ?? false}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
    >
      {children}
      {shortcut === undefined ? null : (
        <kbd className="button-key" aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </Button>
  );
}
