"""What an edition looks like in numbers: who agrees with whom, where the text varies, who comments where."""
