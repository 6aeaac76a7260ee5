import { Switch } from 'react-aria-components';

export interface ToggleProps {
  children: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

export function Toggle({ children, isSelected, onChange }: ToggleProps) {
  return (
    <Switch className="toggle" isSelected={isSelected} onChange={onChange}>
      <span className="toggle-track" aria-hidden="true" />
      {children}
    </Switch>
  );
}
